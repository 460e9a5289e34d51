import { plain } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

/** Message that replaces findings that are not listed. */
export const moreAlike: CatalogueEntry = {
  code: 'more_alike',
  levels: ['error', 'warn', 'info'],
  meaning:
    'The file has more than 2,000 findings of one kind. The rest is not listed; the file is still read ' +
    'as usual.',
  text: ({ code, count }) =>
    `only the first ${String(count)} findings of the kind ${plain(code)} are listed: fix these first`,
  examples: [],
}
