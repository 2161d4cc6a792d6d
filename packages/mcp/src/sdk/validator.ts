import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from "@modelcontextprotocol/sdk/validation/types.js";

/**
 * Stands in for the SDK's own validator, whose library costs start time and memory. The only thing that `Server` lets
 * it check is the answer to our one question to a person, and that question asks for no fields.
 */
export const noFieldsValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    if (Object.keys(schema.properties ?? {}).length > 0) throw new TypeError("only a question without fields is asked");
    return (input) =>
      typeof input === "object" && input !== null && !Array.isArray(input)
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: "must be an object" };
  },
};
