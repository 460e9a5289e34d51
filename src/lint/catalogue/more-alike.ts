import { plain } from '../quote.ts'
import type { Entry } from './entry.ts'

/** What stands for findings that are not listed. */
export const moreAlike: Entry = {
  code: 'more_alike',
  levels: ['error', 'warn', 'info'],
  meaning:
    'The file has more than 2,000 findings of one kind. The rest of them are not listed, so that a ' +
    "file that is not meant for this service takes no one's time; it is read as usual.",
  text: ({ code, count }) =>
    `only the first ${String(count)} findings of the kind ${plain(code)} are listed: fix these first`,
  examples: [],
}
