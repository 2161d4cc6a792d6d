import type { Tables } from "../plants.js";
import { replaceMarked } from "./marked.js";
import type { Room } from "./package-graph.js";

type Folders = Tables["FOLDERS"];

/** docs/architecture.md: the text written by hand, with the map and the list of packages as the sources are today. */
export function architectureDoc(written: string, rooms: readonly Room[], folders: Folders): string {
  return replaceMarked(replaceMarked(written, "map", mapOf(rooms)), "rooms", roomsOf(rooms, folders));
}

/** A Mermaid drawing: a box for each package, an arrow to each package that it imports, the lowest layer at the bottom. */
function mapOf(rooms: readonly Room[]): string {
  const layers = [...new Set(rooms.map(({ layer }) => layer))].toReversed();
  const boxes = layers.flatMap((layer) => [
    `  subgraph layer${layer}["layer ${layer}"]`,
    ...rooms.filter((room) => room.layer === layer).map((room) => `    ${box(room)}`),
    "  end",
  ]);
  const arrows = rooms.toReversed().flatMap(({ name, over }) => over.map((below) => `  ${id(name)} --> ${id(below)}`));
  return ["```mermaid", "flowchart TD", ...boxes, ...arrows, "```"].join("\n");
}

const id = (name: string) => name.replaceAll("-", "_");
const box = ({ name, description }: Room) => `${id(name)}["${name}<br/>${description.replaceAll('"', "#quot;")}"]`;

/** One line a package, as a list because the formatter would change a table. */
function roomsOf(rooms: readonly Room[], folders: Folders): string {
  return rooms.map((room) => `- ${roomOf(room, folders[room.name] ?? [])}`).join("\n");
}

function roomOf({ name, dir, description, layer }: Room, entries: readonly string[]): string {
  const own = entries.filter((entry) => !entry.endsWith(".ts")).map((folder) => `\`${folder}/\``);
  const order = own.length === 0 ? "" : ` Folders, lowest first: ${own.join(", ")}.`;
  return `[${name}](../${dir}/README.md), layer ${layer}. ${description}${order}`;
}
