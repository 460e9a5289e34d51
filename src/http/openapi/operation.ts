import type { JsonSchema } from './schema.ts'

interface MediaType {
  schema: JsonSchema
  example?: unknown
  /** How forms write the members that are objects: `hook[active]=true`. */
  encoding?: Readonly<Record<string, { style: 'deepObject'; explode: true }>>
}

/** The content of a body or response, by media type. */
export type MediaContent = Readonly<Record<string, MediaType>>

export interface RequestBody {
  required: boolean
  content: MediaContent
}

/** Responses by status. */
export type Responses = Readonly<Record<string, { description: string; content?: MediaContent }>>

/** One parameter of an operation in OpenAPI's form. */
export interface DocumentedParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: string | number
}

export interface Operation {
  operationId: string
  tags: readonly string[]
  summary?: string
  security: readonly object[]
  parameters: readonly DocumentedParameter[]
  requestBody?: RequestBody
  responses: Responses
}

/** A document in OpenAPI 3.1. */
export interface OpenApi {
  openapi: string
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: readonly { url: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { securitySchemes: object; schemas: Readonly<Record<string, JsonSchema>> }
}
