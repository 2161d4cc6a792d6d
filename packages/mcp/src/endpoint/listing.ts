import { describeTool, type Access, type Dispatcher, type ListedTool } from "@llmc/toolkit";
import type { ListedNames, Names } from "../protocol/listed-names.js";

/** The listing in the catalogue's order, made once for each form of the names: its schemas cost milliseconds. */
export function createListing(dispatcher: Dispatcher, access: Access, outputSchema: boolean, listed: ListedNames) {
  const made = new Map<Names, readonly ListedTool[]>();
  return (names: Names): readonly ListedTool[] => {
    const known = made.get(names);
    if (known !== undefined) return known;
    const tools = dispatcher.tools
      .filter((tool) => access.listed(tool))
      .map((tool) => describeTool(tool, { names, outputSchema }))
      .map((tool) => ({ ...tool, description: listed.inText(tool.description, names) }));
    made.set(names, tools);
    return tools;
  };
}
