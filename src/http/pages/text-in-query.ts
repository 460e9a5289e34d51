import { storableText } from '../../domain/text/storable-text.ts'
import type { Given } from '../parameters/nest.ts'

/** A text in the query of an address, without characters that the database cannot store; empty if there is none. */
export function textInQuery(query: Given, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? storableText(value).trim() : ''
}
