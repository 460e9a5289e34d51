import type { Schema } from './schema.ts'

interface MediaType {
  schema: Schema
  example?: unknown
  /** How forms write the members that are objects: `hook[active]=true`. */
  encoding?: Readonly<Record<string, { style: 'deepObject'; explode: true }>>
}

/** What a body or response can be, by its type. */
export type Content = Readonly<Record<string, MediaType>>

export interface RequestBody {
  required: boolean
  content: Content
}

/** By status. */
export type Responses = Readonly<Record<string, { description: string; content?: Content }>>

/** One parameter of an operation, as OpenAPI has it. */
export interface DocumentedParameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: Schema
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
  info: { title: string; version: string; description: string }
  servers: readonly { url: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { securitySchemes: object; schemas: Readonly<Record<string, Schema>> }
}
