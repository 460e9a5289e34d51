import { type Accepted, accepts } from './accept.ts'

export type LogForm = 'text' | 'json' | 'parts'

/**
 * In which form a job's log is answered: text whenever it is acceptable, else JSON, with its parts
 * where `chunked` asks for them (D6). A log that is one whole text skips the entries
 * that ask for parts, unless nothing else is accepted. Undefined when nothing fits.
 */
export function jobLogForm(accepted: readonly Accepted[], isWhole: boolean): LogForm | undefined {
  const [first] = accepted
  if (first && isChunked(first) && (!isWhole || accepted.every(isChunked))) return 'parts'

  const plain = accepted.filter((entry) => !isChunked(entry))
  if (plain.some((entry) => accepts(entry, 'text/plain'))) return 'text'
  if (plain.some((entry) => accepts(entry, 'application/json'))) return 'json'
  return accepted.some(isChunked) ? 'parts' : undefined
}

/** Only the parameter's presence counts, whatever the media type; `false` is absence. */
export function isChunked({ params }: Accepted): boolean {
  return params.has('chunked') && params.get('chunked') !== 'false'
}
