import { OpsError } from "@llmc/errors";
import {
  correlationIdFrom,
  nearestName,
  wireName,
  type AskPerson,
  type CallOptions,
  type Dispatcher,
  type ListedTool,
} from "@llmc/toolkit";
import { traitsOf } from "./client-traits.js";
import { handleIdOf, HANDLE_TEMPLATE, HANDLE_TOOL, readHandle } from "./handle-resource.js";
import { instructionsFor } from "./instructions.js";
import { createListedNames, type Names } from "../protocol/listed-names.js";
import { createListing } from "./listing.js";
import { timingOf, type ClientInfo, type McpOptions } from "../protocol/options.js";
import { createProgress, NO_PROGRESS, type Progress, type ProgressUpdate } from "./progress.js";
import { ProtocolError, RPC } from "../protocol/protocol-error.js";
import { BrokenParamsRefusal, UnknownMethodRefusal, UnknownResourceRefusal } from "../protocol/refusal.js";
import { errorResult, toolResult, type ShapeOptions, type ToolResult } from "./results.js";
import { sessionOf, type Connection } from "../protocol/session.js";

export type ProgressToken = string | number;

/** One request, free of any SDK's types: a second binding makes the same thing. */
export interface EndpointRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly connection: Connection;
  readonly client: ClientInfo | undefined;
  /** Made for it alone. */
  readonly controller: AbortController;
  readonly correlationId: string | undefined;
  readonly ask: AskPerson | undefined;
  readonly sendProgress: (token: ProgressToken, update: ProgressUpdate) => void;
}

export interface Endpoint {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  /** Whether handles can be read as resources. */
  readonly resources: boolean;
  /** Rejects with a ProtocolError; a failed tool is a result. */
  answer(request: EndpointRequest): Promise<object>;
}

/** What the server says, whichever SDK says it. */
export function createEndpoint(options: McpOptions): Endpoint {
  const { dispatcher, access, settings } = options;
  const { tools } = settings.mcp;
  const shape: ShapeOptions = { results: tools.results, outputSchemas: tools.output_schemas };
  const timing = timingOf(options);
  const listed = createListedNames(dispatcher.tools, (tool) => access.listed(tool));
  const listing = createListing(dispatcher, access, tools.output_schemas, listed);
  const handleTool = dispatcher.find(HANDLE_TOOL);
  const resources = handleTool !== undefined && access.closedBy(handleTool) === null;

  function namesFor({ client }: EndpointRequest): Names {
    return tools.names === "auto" ? traitsOf(client?.name).names : tools.names;
  }

  // Every page is the first and the last: a cursor, which we never gave out, changes nothing.
  function listTools(request: EndpointRequest): { tools: readonly ListedTool[] } {
    return { tools: listing(namesFor(request)) };
  }

  async function callTool(request: EndpointRequest): Promise<ToolResult> {
    const { name, arguments: args } = request.params;
    const call = callOptions(request);
    if (typeof name !== "string") {
      throw new ProtocolError(RPC.invalidParams, new BrokenParamsRefusal("tools/call", "a name"), call.correlationId);
    }
    const progress = progressOf(request);
    try {
      const result = await dispatcher.call(name, args, { ...call, progress: progress.report });
      return toolResult(toolNamed(dispatcher, name), result, traitsOf(request.client?.name), shape);
    } catch (thrown) {
      const error = OpsError.from(thrown);
      const told = listed.inError(error, dispatcher.find(name)?.name ?? name, namesFor(request));
      if (isUnknownTool(error)) throw new ProtocolError(RPC.invalidParams, told, call.correlationId);
      return errorResult(told.toEnvelope(call.correlationId), shape);
    } finally {
      progress.stop();
    }
  }

  async function readResource(request: EndpointRequest): Promise<object> {
    const call = callOptions(request);
    const { uri } = request.params;
    if (typeof uri !== "string") {
      throw new ProtocolError(
        RPC.invalidParams,
        new BrokenParamsRefusal("resources/read", "a uri"),
        call.correlationId,
      );
    }
    try {
      const id = handleIdOf(uri);
      if (id === undefined) throw new UnknownResourceRefusal(uri, HANDLE_TEMPLATE);
      const read = async (args: object) => (await dispatcher.call(HANDLE_TOOL, args, call)).payload;
      return { contents: await readHandle(uri, id, read, listed.inText(HANDLE_TOOL, namesFor(request))) };
    } catch (thrown) {
      const error = OpsError.from(thrown);
      const told = listed.inError(error, HANDLE_TOOL, namesFor(request));
      throw new ProtocolError(RESOURCE_CODES[error.code] ?? RPC.internal, told, call.correlationId);
    }
  }

  function callOptions(request: EndpointRequest): CallOptions & { readonly correlationId: string } {
    const { connection, client, controller, ask } = request;
    return {
      session: sessionOf(connection, client, metaOf(request), settings.mcp),
      entry: connection.entry,
      correlationId: correlationIdFrom(request.correlationId),
      controller,
      ask,
    };
  }

  function progressOf(request: EndpointRequest): Progress {
    const token = metaOf(request)["progressToken"];
    if (typeof token !== "string" && typeof token !== "number") return NO_PROGRESS;
    return createProgress((update) => request.sendProgress(token, update), timing);
  }

  const methods = new Map<string, (request: EndpointRequest) => object | Promise<object>>([
    ["tools/list", listTools],
    ["tools/call", callTool],
  ]);
  if (resources) {
    methods.set("resources/list", () => ({ resources: [] }));
    methods.set("resources/templates/list", () => ({ resourceTemplates: [TEMPLATE] }));
    methods.set("resources/read", readResource);
  }

  return {
    serverInfo: { name: "linuxops", title: "LLMC LinuxOps", version: options.version },
    instructions: instructionsFor({
      roots: settings.roots,
      sandbox: settings.mcp.linux_ops.commands.sandbox !== "off",
      listed(name) {
        const tool = dispatcher.find(name);
        if (tool === undefined || !access.listed(tool)) return undefined;
        return tools.names === "dotted" ? tool.name : wireName(tool.name);
      },
    }),
    resources,
    answer(request) {
      const method = methods.get(request.method);
      if (method !== undefined) return Promise.resolve(method(request));
      const error = new UnknownMethodRefusal(request.method, nearestName(request.method, [...methods.keys()]));
      return Promise.reject(new ProtocolError(RPC.methodNotFound, error, correlationIdFrom(request.correlationId)));
    },
  };
}

const TEMPLATE = {
  uriTemplate: HANDLE_TEMPLATE,
  name: "handle",
  description: "What stands behind a handle, whole.",
};

const RESOURCE_CODES: Readonly<Partial<Record<OpsError["code"], number>>> = {
  HANDLE_NOT_FOUND: RPC.resourceNotFound,
  HANDLE_EXPIRED: RPC.resourceNotFound,
  NOT_FOUND: RPC.resourceNotFound,
  // The tool's own check of the id: no handle can have this name.
  INVALID_ARGUMENT: RPC.resourceNotFound,
};

function toolNamed(dispatcher: Dispatcher, name: string) {
  const tool = dispatcher.find(name);
  if (tool === undefined) throw new TypeError(`the dispatcher ran ${name} but does not know it`);
  return tool;
}

function isUnknownTool({ code, details }: OpsError): boolean {
  return code === "INVALID_ARGUMENT" && details?.["unknown_tool"] !== undefined;
}

function metaOf({ params }: EndpointRequest): Readonly<Record<string, unknown>> {
  const meta = params["_meta"];
  return typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : {};
}
