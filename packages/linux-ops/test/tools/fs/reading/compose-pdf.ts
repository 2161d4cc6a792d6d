/** A PDF of pages with these lines, as old programs wrote them. A page without lines is one without text. */
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

function withTable(objects: readonly string[]): string {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return `${file}${table}trailer << /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}
