import type { JsonSchema } from '../../openapi/schema.ts'
import { collections, registry } from '../resources/index.ts'
import { formSchemas } from './form-schemas.ts'
import { collectionSchema, resourceSchemas } from './resource-schemas.ts'

/** Every schema of V3, by its name. */
export const schemas: Readonly<Record<string, JsonSchema>> = {
  ...formSchemas,
  ...resourceSchemas(registry),
  ...Object.fromEntries(
    Object.values(collections).map((collection) => [collection.type, collectionSchema(collection)]),
  ),
}
