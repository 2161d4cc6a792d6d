interface Magic {
  readonly what: string;
  readonly at?: number;
  readonly bytes: string;
}

// Bytes as latin1. What is found first counts.
const MAGIC: readonly Magic[] = [
  { what: "PNG image", bytes: "\x89PNG\r\n\x1a\n" },
  { what: "JPEG image", bytes: "\xff\xd8\xff" },
  { what: "GIF image", bytes: "GIF8" },
  { what: "WebP image", bytes: "WEBP", at: 8 },
  { what: "WAVE audio", bytes: "WAVE", at: 8 },
  { what: "AVI video", bytes: "AVI ", at: 8 },
  { what: "BMP image", bytes: "BM" },
  { what: "TIFF image", bytes: "II*\0" },
  { what: "TIFF image", bytes: "MM\0*" },
  { what: "icon", bytes: "\0\0\x01\0" },
  { what: "HEIC or AVIF image, or MP4 video", bytes: "ftyp", at: 4 },
  { what: "Matroska or WebM video", bytes: "\x1aE\xdf\xa3" },
  { what: "Ogg audio or video", bytes: "OggS" },
  { what: "FLAC audio", bytes: "fLaC" },
  { what: "MP3 audio", bytes: "ID3" },
  { what: "PDF document", bytes: "%PDF-" },
  { what: "SQLite database", bytes: "SQLite format 3\0" },
  { what: "ELF executable or library", bytes: "\x7fELF" },
  { what: "Windows executable", bytes: "MZ" },
  { what: "Mach-O executable", bytes: "\xcf\xfa\xed\xfe" },
  { what: "WebAssembly module", bytes: "\0asm" },
  { what: "Java class or Mach-O universal binary", bytes: "\xca\xfe\xba\xbe" },
  { what: "gzip archive", bytes: "\x1f\x8b" },
  { what: "zip archive or document (docx, xlsx, jar …)", bytes: "PK\x03\x04" },
  { what: "empty zip archive", bytes: "PK\x05\x06" },
  { what: "zstd archive", bytes: "\x28\xb5\x2f\xfd" },
  { what: "xz archive", bytes: "\xfd7zXZ\0" },
  { what: "bzip2 archive", bytes: "BZh" },
  { what: "7z archive", bytes: "7z\xbc\xaf\x27\x1c" },
  { what: "RAR archive", bytes: "Rar!\x1a\x07" },
  { what: "tar archive", bytes: "ustar", at: 257 },
  { what: "ar archive", bytes: "!<arch>\n" },
  { what: "old Office document", bytes: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
  { what: "TrueType font", bytes: "\0\x01\0\0" },
  { what: "OpenType font", bytes: "OTTO" },
  { what: "WOFF font", bytes: "wOF" },
  { what: "Git pack", bytes: "PACK" },
  { what: "Git index", bytes: "DIRC" },
  { what: "Python bytecode", bytes: "\r\r\n", at: 1 },
  { what: "UTF-32 text", bytes: "\0\0\xfe\xff" },
];

/** What a file with these first bytes is, as far as they tell. */
export function describeBinary(head: Buffer): string {
  const start = head.toString("latin1", 0, 512);
  const known = MAGIC.find(({ bytes, at = 0 }) => start.startsWith(bytes, at));
  if (known !== undefined) return known.what;
  if (looksLikeUtf16(head)) return "perhaps UTF-16 text without a byte order mark";
  return head.every((byte) => byte === 0) ? "nothing but NUL bytes" : "unknown binary data";
}

/** Western text in UTF-16: every other byte is NUL, and only every other. */
function looksLikeUtf16(head: Buffer): boolean {
  let [even, odd] = [0, 0];
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  return Math.max(even, odd) > head.length * 0.35 && Math.min(even, odd) === 0;
}
