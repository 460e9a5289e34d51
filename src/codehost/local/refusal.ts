import { CodehostError } from '../codehost.ts'

/** A no that holds until whoever asked does something; the sentence says what. */
export function refusal(sentence: string): CodehostError {
  return new CodehostError(sentence, { kind: 'refused' })
}
