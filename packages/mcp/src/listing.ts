import { describeTool, type Access, type Dispatcher, type ListedTool } from "@llmc/toolkit";

type Names = "underscore" | "dotted";

/** The listing in the catalogue's order, made once for each form of the names: its schemas cost milliseconds. */
export function createListing(dispatcher: Dispatcher, access: Access, outputSchema: boolean) {
  const made = new Map<Names, readonly ListedTool[]>();
  return (names: Names): readonly ListedTool[] => {
    const known = made.get(names);
    if (known !== undefined) return known;
    const tools = dispatcher.tools
      .filter((tool) => access.listed(tool))
      .map((tool) => describeTool(tool, { names, outputSchema }));
    made.set(names, tools);
    return tools;
  };
}
