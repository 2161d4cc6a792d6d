import type { Media, Parted } from "@llmc/toolkit";
import type { ShownImage } from "../../../answer/shown-image.js";

interface Holder {
  readonly image?: ShownImage | undefined;
}

/** Takes the images' bytes out of an answer of one file or several, in their order. */
export function partImages<Result extends Holder & { readonly files?: readonly Holder[] | undefined }>(
  result: Result,
): Parted<Result> | null {
  const media = [result, ...(result.files ?? [])].flatMap(mediaOf);
  if (media.length === 0) return null;
  return { media, rest: { ...withoutData(result), ...(result.files && { files: result.files.map(withoutData) }) } };
}

function mediaOf({ image }: Holder): Media[] {
  if (image?.data === undefined) return [];
  return [{ type: "image", mimeType: image.mime_type, data: image.data }];
}

function withoutData<H extends Holder>(holder: H): H {
  if (holder.image === undefined) return holder;
  const { data: _, ...image } = holder.image;
  return { ...holder, image };
}
