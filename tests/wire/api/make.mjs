// Makes discord.json: Discord's published description of its API as JSON Schema, for the routes that a bot may use.
//
// npm install --no-save discord-api-spec zod typescript
// node tests/wire/api/make.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const local = createRequire(join(process.cwd(), "x.js"));
const ts = local("typescript");
const z = await import(pathToFileURL(local.resolve("zod")));
const folder = join(process.cwd(), "node_modules/discord-api-spec/build");
const { version } = JSON.parse(readFileSync(join(folder, "../package.json")));

const ROUTES = new RegExp(
  "^/(applications/(@me|\\{application_id\\}/(commands|emojis|guilds/\\{guild_id\\}/commands)(/|$))" +
    "|channels/\\{channel_id\\}($|/(messages(/\\{message_id\\}(/threads)?)?$|threads|thread-members|typing))" +
    "|gateway|guilds/\\{guild_id\\}($|/(channels$|members/|roles$|threads))" +
    "|interactions/|oauth2/applications/@me|users/(@me($|/channels|/guilds)|\\{user_id\\})" +
    "|webhooks/\\{webhook_id\\}/\\{webhook_token\\}($|/messages))",
);

// Schemas of requests: what isn't described is an error, so every object is closed.
const source = readFileSync(join(folder, "discord-api-spec.zod.js"), "utf-8");
const closed = join(process.cwd(), "closed.mjs");
writeFileSync(closed, source.replace("let zObject = z.object;", "let zObject = z.strictObject;"));
const schemas = await import(pathToFileURL(closed));
const registry = z.registry();
for (const [name, schema] of Object.entries(schemas))
  if (name.endsWith("Schema")) registry.add(schema, { id: name.slice(0, -"Schema".length) });
const described = z.toJSONSchema(registry, { uri: (id) => id, unrepresentable: "any", io: "input" }).schemas;

// What a TypeScript type says, as a schema.
function schemaOf(type) {
  const kind = ts.SyntaxKind;
  if (ts.isTypeReferenceNode(type)) return { $ref: type.typeName.getText() };
  if (ts.isArrayTypeNode(type)) return { type: "array", items: schemaOf(type.elementType) };
  if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type);
  if (ts.isUnionTypeNode(type)) return { anyOf: type.types.map(schemaOf) };
  if (ts.isIntersectionTypeNode(type)) return { allOf: type.types.map(schemaOf) };
  if (ts.isLiteralTypeNode(type))
    return type.literal.kind === kind.NullKeyword ? { type: "null" } : { const: JSON.parse(type.literal.getText()) };
  if (ts.isTypeLiteralNode(type)) {
    const members = type.members.filter(ts.isPropertySignature);
    return {
      type: "object",
      properties: Object.fromEntries(members.map((m) => [m.name.text, schemaOf(m.type)])),
      required: members.filter((m) => !m.questionToken).map((m) => m.name.text),
      additionalProperties: false,
    };
  }
  const plain = { [kind.StringKeyword]: "string", [kind.NumberKeyword]: "number", [kind.BooleanKeyword]: "boolean" };
  return plain[type.kind] ? { type: plain[type.kind] } : {};
}

const file = ts.createSourceFile("spec.ts", readFileSync(join(folder, "discord-api-spec.ts"), "utf-8"), 99, true);
const paths = file.statements.find((s) => ts.isInterfaceDeclaration(s) && s.name.text === "Paths");
const routes = {};
for (const route of paths.members) {
  if (!ROUTES.test(route.name.text)) continue;
  for (const method of route.type.members) {
    const parts = Object.fromEntries(method.type.members.map((m) => [m.name.text, m.type]));
    const query = parts.parameters.members.find((m) => m.name.text === "query").type;
    const entry = (routes[`${method.name.text.toUpperCase()} ${route.name.text}`] = {});
    if (ts.isTypeLiteralNode(query)) entry.query = schemaOf(query);
    if (parts.requestBody && parts.requestBody.kind !== ts.SyntaxKind.UndefinedKeyword)
      entry.body = schemaOf(parts.requestBody);
  }
}

// Only what they need, and references within the one file.
const needed = {};
function take(value) {
  if (Array.isArray(value)) return value.map(take);
  if (value === null || typeof value !== "object") return value;
  const out = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$schema" || key === "$id" || key === "id" && typeof inner === "string") continue;
    if (key === "$ref") {
      out.$ref = `#/$defs/${inner}`;
      if (!(inner in needed)) {
        needed[inner] = {};
        needed[inner] = take(described[inner] ?? {});
        if (!described[inner]) console.error("not described:", inner);
      }
    } else out[key] = take(inner);
  }
  return out;
}
const from = `discord-api-spec ${version}`;
const made = { from, routes: take(routes), $defs: Object.fromEntries(Object.entries(needed).sort()) };
made.$defs = Object.fromEntries(Object.entries(needed).sort());
writeFileSync(join(here, "discord.json"), JSON.stringify(made, null, 1) + "\n");
console.log(Object.keys(routes).length, "routes,", Object.keys(needed).length, "schemas");
