import { CodehostError } from '../codehost.ts'

/** An error that lasts until the user does something; the sentence says what. */
export function refusal(sentence: string): CodehostError {
  return new CodehostError(sentence, { kind: 'refused' })
}
