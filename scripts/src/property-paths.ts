import ts from "typescript";

/**
 * Which settings a source reads, by the names alone: the last two segments of a property path, whatever stands before
 * them. `settings.mcp.tools.names` reads `tools.names`; so do `tools?.["names"]`, `const { names } = mcp.tools` and
 * `const { tools: { names } } = mcp`. A full key in a tool's `features` list reads that key. Names imported from
 * packages/config are given as they are.
 */
export function pathsRead(file: string, text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isAccess(node)) addChain(chainOf(node), found);
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined)
      addPattern(node.name, lastName(node.initializer), found);
    if (ts.isParameter(node) && node.initializer === undefined) addPattern(node.name, undefined, found);
    if (ts.isPropertyAssignment(node) && node.name.getText() === "features") addFeatures(node.initializer, found);
    if (ts.isImportDeclaration(node)) addImports(node, found);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** `mcp.tools.names` as the pair that `pathsRead` gives. */
export function lastPair(key: string): string {
  return key.split(".").slice(-2).join(".");
}

type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

const isAccess = (node: ts.Node): node is Access =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

function chainOf(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) return chainOf(node.expression);
  if (ts.isPropertyAccessExpression(node)) return [...chainOf(node.expression), node.name.text];
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return [...chainOf(node.expression), node.argumentExpression.text];
  }
  return [];
}

const lastName = (node: ts.Expression): string | undefined => chainOf(node).at(-1);

function addChain(chain: readonly string[], found: Set<string>): void {
  const [parent, name] = chain.slice(-2);
  if (parent !== undefined && name !== undefined) found.add(`${parent}.${name}`);
}

function addPattern(pattern: ts.BindingName, parent: string | undefined, found: Set<string>): void {
  if (!ts.isObjectBindingPattern(pattern)) return;
  for (const element of pattern.elements) {
    const name = element.propertyName ?? element.name;
    const key = ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
    if (key !== undefined && parent !== undefined && element.dotDotDotToken === undefined)
      found.add(`${parent}.${key}`);
    addPattern(element.name, key, found);
  }
}

function addFeatures(list: ts.Expression, found: Set<string>): void {
  if (!ts.isArrayLiteralExpression(list)) return;
  for (const one of list.elements) if (ts.isStringLiteralLike(one)) found.add(one.text);
}

function addImports({ importClause, moduleSpecifier }: ts.ImportDeclaration, found: Set<string>): void {
  const bindings = importClause?.namedBindings;
  if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== "@llmc/config") return;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return;
  for (const { propertyName, name } of bindings.elements) found.add((propertyName ?? name).text);
}
