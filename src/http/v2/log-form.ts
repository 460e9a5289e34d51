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

/**
 * The form of a log by its own id: what the first acceptable entry asks for, JSON before text. The same
 * entries are skipped.
 */
export function logForm(accepted: readonly Accepted[], isWhole: boolean): LogForm | undefined {
  const forms = accepted.map((entry): LogForm | undefined => {
    if (isChunked(entry)) return isWhole ? undefined : 'parts'
    if (accepts(entry, 'application/json')) return 'json'
    return accepts(entry, 'text/plain') ? 'text' : undefined
  })
  const form = forms.find((each) => each !== undefined)
  return form ?? (accepted.some(isChunked) ? 'parts' : undefined)
}

/** Only the parameter's presence counts, whatever the media type; `false` is absence. */
export function isChunked({ params }: Accepted): boolean {
  return params.has('chunked') && params.get('chunked') !== 'false'
}
