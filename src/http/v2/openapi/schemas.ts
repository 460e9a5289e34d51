import type { Schema } from '../../openapi/schema.ts'

export const schemas: Readonly<Record<string, Schema>> = {}
