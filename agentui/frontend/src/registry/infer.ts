/** The TypeScript type of a tool's arguments, from how its parameters are declared. */
import type { Json, JsonObject } from "../core/index.js";
import type { Parameter } from "./parameters.js";

/** What `parameters` may be: the short list, or a JSON Schema of an object. */
export type Parameters = readonly Parameter[] | Schema;

/** A JSON Schema as a page writes it. Types are inferred from one written in place. */
export type Schema = { readonly [keyword: string]: unknown };

/** The arguments of a handler: exact for parameters written in place, any JSON object otherwise. */
export type ArgumentsOf<P> = P extends readonly Parameter[]
  ? readonly Parameter[] extends P
    ? JsonObject
    : FromList<P>
  : P extends { readonly properties: infer Properties }
    ? FromProperties<Properties, P extends { readonly required: readonly (infer Name)[] } ? Name : never>
    : JsonObject;

type Flat<T> = { [K in keyof T]: T[K] };

type FromList<L extends readonly Parameter[]> = Flat<
  { [P in L[number] as P extends { required: false } ? never : P["name"]]: FromParameter<P> } & {
    [P in L[number] as P extends { required: false } ? P["name"] : never]?: FromParameter<P>;
  }
>;

type FromParameter<P extends Parameter> = P extends { type: `${infer Item}[]` }
  ? FromPlain<Item, P>[]
  : FromPlain<P extends { type: infer Type } ? Type : "string", P>;

type FromPlain<Type, P> = Type extends "number"
  ? number
  : Type extends "boolean"
    ? boolean
    : Type extends "object"
      ? P extends { attributes: infer A extends readonly Parameter[] }
        ? FromList<A>
        : JsonObject
      : P extends { enum: readonly (infer Choice)[] }
        ? Choice
        : string;

type FromProperties<Properties, Required> = Flat<
  { -readonly [K in keyof Properties as K extends Required ? K : never]: FromSchema<Properties[K]> } & {
    -readonly [K in keyof Properties as K extends Required ? never : K]?: FromSchema<Properties[K]>;
  }
>;

type FromSchema<S> = S extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly const: infer Only }
    ? Only
    : S extends { readonly anyOf: readonly (infer Option)[] }
      ? FromSchema<Option>
      : S extends { readonly type: infer Type }
        ? FromType<Type extends readonly (infer One)[] ? One : Type, S>
        : Json;

type FromType<Type, S> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? S extends { readonly items: infer Items }
            ? FromSchema<Items>[]
            : Json[]
          : Type extends "object"
            ? ArgumentsOf<S>
            : Json;
