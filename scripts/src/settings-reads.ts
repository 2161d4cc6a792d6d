import ts from "typescript";

export interface Sources {
  readonly program: ts.Program;
  /** Where the type of all settings is declared. */
  readonly schema: { readonly file: string; readonly type: string };
  /** Whose reads count. */
  readonly counts: (file: string) => boolean;
}

/**
 * The settings that the sources read. Types decide, not names: a property access or a binding counts when the property
 * that it means is the one that the schema declares, whatever the variable in front of it is called. A computed member
 * counts for each name that its type allows.
 */
export function settingsRead({ program, schema, counts }: Sources): ReadonlySet<string> {
  const checker = program.getTypeChecker();
  const keys = declaredKeys(program, checker, schema);
  const found = new Set<string>();
  const add = (property: ts.Symbol | undefined) => {
    for (const declaration of property?.declarations ?? []) {
      const key = keys.get(declaration);
      if (key !== undefined) found.add(key);
    }
  };
  const visit = (node: ts.Node): void => {
    for (const property of propertiesMeant(node, checker)) add(property);
    ts.forEachChild(node, visit);
  };
  for (const source of program.getSourceFiles()) if (counts(source.fileName)) visit(source);
  return found;
}

/** The declaration of each setting in the schema, with its key: `mcp.tools.names`. */
function declaredKeys(
  program: ts.Program,
  checker: ts.TypeChecker,
  { file, type }: Sources["schema"],
): ReadonlyMap<ts.Node, string> {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === type);
  if (symbol === undefined) throw new Error(`${file} exports no type ${type}`);
  const keys = new Map<ts.Node, string>();
  const walk = (table: ts.Type, path: string): void => {
    for (const property of checker.getPropertiesOfType(table)) {
      const [declaration] = property.declarations ?? [];
      // Members of a string or a list lie outside the schema: that is where its tables end.
      if (declaration === undefined || /node_modules/.test(declaration.getSourceFile().fileName)) continue;
      const key = `${path}.${property.name}`;
      keys.set(declaration, key);
      const value = checker.getTypeOfSymbol(property);
      if (!checker.isArrayLikeType(value)) walk(value, key);
    }
  };
  walk(checker.getDeclaredTypeOfSymbol(symbol), "mcp");
  return keys;
}

function propertiesMeant(node: ts.Node, checker: ts.TypeChecker): (ts.Symbol | undefined)[] {
  if (ts.isPropertyAccessExpression(node)) return [checker.getSymbolAtLocation(node.name)];
  if (ts.isElementAccessExpression(node)) {
    const names = checker.getTypeAtLocation(node.argumentExpression);
    return propertiesOf(checker.getTypeAtLocation(node.expression), literals(names), checker);
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && node.dotDotDotToken === undefined) {
    const name = node.propertyName ?? node.name;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return [];
    return propertiesOf(checker.getTypeAtLocation(node.parent), [name.text], checker);
  }
  return [];
}

function propertiesOf(type: ts.Type, names: readonly string[], checker: ts.TypeChecker): (ts.Symbol | undefined)[] {
  return names.map((name) => checker.getPropertyOfType(type, name));
}

function literals(type: ts.Type): string[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
}
