/**
 * What clients take. Claude Desktop refuses a result of more than 1,048,576 characters, base64 and text together, and
 * this makes 955,736 of them. It is the bound of all images in an answer.
 */
export const MAX_IMAGE_BYTES = 700 * 1024;

/**
 * Anthropic's API refuses a request with more than 20 images as soon as one is larger than this; a conversation that
 * holds such an image is lost from its twenty-first on. (One alone may have 8,000.) No model sees more than this.
 */
export const MAX_IMAGE_EDGE = 2000;

/** From here on models scale an image down themselves. */
export const SCALED_EDGE = 1568;

const PATCH = 28;
const DEAREST = 1600;

/** About what a model pays for an image: a token for each patch, after its own scaling. */
export function imageTokens({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.min(DEAREST, Math.ceil(width / PATCH) * Math.ceil(height / PATCH));
}
