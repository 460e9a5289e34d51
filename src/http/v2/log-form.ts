import { type Accepted, accepts } from './accept.ts'

export type LogForm = 'text' | 'json' | 'parts'

/**
 * The form in which a job's log is sent: text whenever it is acceptable, else JSON, with its parts
 * if `chunked` asks for them (D6). For a log that is one whole text, entries that ask for parts are
 * skipped, unless nothing else is accepted. Undefined when nothing matches.
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
