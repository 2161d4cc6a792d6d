const THINGS = "account invoice payment customer address product order shipment refund coupon ticket message".split(
  " ",
);

/** The lines of a module as there are many: ten for each thing. */
export function sourceLines(things = THINGS.length): string[] {
  return THINGS.slice(0, things).flatMap((thing) => {
    const type = `${thing[0]?.toUpperCase()}${thing.slice(1)}`;
    return [
      `export async function load${type}(client: Client, id: string): Promise<${type}> {`,
      `  const cached = client.cache.get(\`${thing}:\${id}\`);`,
      `  if (cached !== undefined) return cached as ${type};`,
      `  const response = await client.request("GET", \`/${thing}s/\${id}\`);`,
      `  if (!response.ok) throw new RequestError(response.status, id);`,
      `  const ${thing} = parse${type}(await response.json());`,
      `  client.cache.set(\`${thing}:\${id}\`, ${thing}, client.maxAge);`,
      `  return ${thing};`,
      `}`,
      ``,
    ];
  });
}

export function textOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
