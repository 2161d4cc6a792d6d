export interface ShownImage {
  readonly mime_type: string;
  /** Base64. MCP sends it as image content and leaves it out here. */
  readonly data?: string | undefined;
  readonly width: number;
  readonly height: number;
}
