import { base64Search, hexSearch } from './bits-search.ts'
import { usualEscapes } from './escapes.ts'
import type { OpenSearch } from './search.ts'
import { textSearch } from './text-search.ts'

/** All ways of writing in which secrets are looked for. */
export const allSearches: readonly OpenSearch[] = [
  textSearch(usualEscapes),
  base64Search,
  hexSearch,
]
