import { z } from "zod";
import { address, amount, choice, flag, list, matching, path, text, whole } from "./fields.js";
import { ENV_NAME } from "./transport.js";

const timeout = (initial: number, description: string) => whole(initial, { min: 1, max: 600_000 }, description);

const embeddings = z
  .strictObject({
    provider: choice(["none", "ollama", "openai"], "none", "Who makes embeddings; none: search is lexical."),
    base_url: address("Address of the embeddings service."),
    model: text("", "Model that it is asked for."),
    query_prefix: text("", "Put in front of a query."),
    passage_prefix: text("", "Put in front of a passage."),
    batch: whole(32, { min: 1, max: 10_000 }, "Passages in one request."),
    timeout_ms: timeout(2000, "A query waits no longer for its embedding, then it is answered lexically."),
    weight: amount(1, { min: 0, max: 100 }, "Weight of the embedding beside the lexical score."),
  })
  .prefault({})
  .meta({ description: "Optional embeddings." });

const llmcHttp = z
  .strictObject({
    base_url: address("Address of the LLMC service."),
    workspace: text("", "Workspace that it is asked about."),
    token_env: matching(
      "LLMC_API_TOKEN",
      ENV_NAME,
      "the name of an environment variable",
      "Environment variable with its token.",
    ),
    timeout_ms: timeout(1500, "A query waits no longer for it."),
    fallback: flag(true, "Use the embedded engine when it fails."),
  })
  .prefault({})
  .meta({ description: 'The service behind engine = "llmc-http".' });

export const rag = z
  .strictObject({
    jit_context_enabled: flag(true, "The rag tools and /rag/* can be called."),
    default_scope: choice(["repo", "docs", "both"], "repo", "Scope of a query that names none."),
    top_k: whole(3, { min: 1, max: 1000 }, "Most snippets of an answer."),
    token_budget: whole(600, { min: 1, max: 1_000_000 }, "Most tokens of an answer."),
    engine: choice(["embedded", "llmc-http", "off"], "embedded", "Who answers queries."),
    index_path: path("File of the index. Empty: in the data dir, by root."),
    include: list([], "Globs of files to index; empty: all."),
    exclude: list([], "Globs of files to leave out."),
    max_file_bytes: whole(1_500_000, { min: 1, max: 1_000_000_000 }, "A larger file is not indexed."),
    stale_ms: whole(2000, { min: 0, max: 86_400_000 }, "How old the index may be before a query looks for changes."),
    snippet_chars: whole(1600, { min: 100, max: 1_000_000 }, "Longest snippet."),
    contracts: list(["AGENTS.md", "CONTRACTS.md"], "Files at a root that bootload reads, in this order."),
    embeddings,
    llmc_http: llmcHttp,
  })
  .prefault({})
  .meta({ description: "Retrieval over the roots." });
