import { wireName, type AnyTool } from "./tool.js";

export interface AccessOptions {
  /** Toolsets to list; `all` lists every tool. */
  readonly toolsets: readonly string[];
  /** Names in either form; empty means no restriction. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly readOnly: boolean;
  /** All tools, of which some may stand for others. */
  readonly tools?: readonly AnyTool[];
  /** Whether a setting named by a tool is true. */
  readonly enabled: (setting: string) => boolean;
  /** The settings behind these options, as the operator knows them. */
  readonly settings: { readonly allow: string; readonly deny: string; readonly readOnly: string };
}

export interface Access {
  /** The setting that keeps this tool from being called, or null. */
  closedBy(tool: AnyTool): string | null;
  /** Whether tools/list shows it; what is merely unlisted can still be called. */
  listed(tool: AnyTool): boolean;
}

export function createAccess(options: AccessOptions): Access {
  const { toolsets, allow, deny, readOnly, enabled, settings, tools = [] } = options;
  const named = (names: readonly string[], tool: AnyTool) =>
    names.some((name) => wireName(name) === wireName(tool.name));

  function closedBy(tool: AnyTool): string | null {
    const off = tool.features.find((setting) => !enabled(setting));
    if (off !== undefined) return off;
    if (readOnly && !tool.annotations.readOnlyHint) return settings.readOnly;
    if (named(deny, tool)) return settings.deny;
    if (allow.length > 0 && !named(allow, tool)) return settings.allow;
    return null;
  }

  function listed(tool: AnyTool): boolean {
    if (closedBy(tool) !== null || isReplaced(tool)) return false;
    if (tool.standsFor !== undefined && !enabled(tool.standsFor.setting)) return false;
    return toolsets.includes("all") || toolsets.includes(tool.toolset) || named(allow, tool);
  }

  function isReplaced({ name }: AnyTool): boolean {
    return tools.some(
      (other) => other.standsFor?.tool === name && enabled(other.standsFor.setting) && closedBy(other) === null,
    );
  }

  return { closedBy, listed };
}
