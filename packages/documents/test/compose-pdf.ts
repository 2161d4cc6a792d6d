import { createHash } from "node:crypto";

/** Returns a PDF whose pages have these lines; a page without lines has no text. */
export function pdf(pages: readonly (readonly string[])[]): Buffer {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"];
  const kids = pages.map((lines) => {
    const drawn = lines.map((line) => `(${line}) Tj T*`).join(" ");
    const content = `BT /F1 12 Tf 72 720 Td 14 TL ${drawn} ET`;
    const contents = objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    const resources = `/Contents ${contents} 0 R /Resources << /Font << /F1 3 0 R >> >>`;
    return `${objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} >>`)} 0 R`;
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  return Buffer.from(withTable(objects), "latin1");
}

/** Returns a PDF of one page, encrypted with RC4 and 40 bits; without a password anyone can open it. */
export function locked(password: string): Buffer {
  const id = Buffer.from("0123456789abcdef");
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-4);
  const owner = rc4(md5(padded("owner")).subarray(0, 5), padded(password));
  const key = md5(Buffer.concat([padded(password), owner, permissions, id])).subarray(0, 5);
  const hex = (bytes: Buffer): string => `<${bytes.toString("hex")}>`;
  const lock = `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PADDING))} /P ${permissions.readInt32LE()} >>`;
  const content = "BT /F1 12 Tf 72 720 Td (Hello) Tj ET";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    lock,
  ];
  return Buffer.from(withTable(objects, ` /Encrypt 5 0 R /ID [${hex(id)} ${hex(id)}]`), "latin1");
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, "latin1"), PADDING]).subarray(0, 32);
}

function md5(bytes: Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}

/** Implements RC4, because current OpenSSL versions lack it. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    [state[one], state[other]] = [at(other), at(one)];
  };
  for (let [i, j] = [0, 0]; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return bytes.map((byte) => {
    i = (i + 1) & 255;
    j = (j + at(i)) & 255;
    swap(i, j);
    return byte ^ at(at(i) + at(j));
  }) as Buffer;
}

function withTable(objects: readonly string[], more = ""): string {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return `${file}${table}trailer << /Size ${offsets.length + 1} /Root 1 0 R${more} >>\nstartxref\n${file.length}\n%%EOF\n`;
}
