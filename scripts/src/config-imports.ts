import ts from "typescript";

/** Values that a source takes from the config package. */
export function importsFromConfig(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = statement.importClause?.namedBindings;
    if (statement.moduleSpecifier.text !== "@llmc/config" || bindings === undefined || !ts.isNamedImports(bindings))
      return [];
    return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
  });
}
