import { stripVTControlCharacters } from 'node:util'
import { withoutMarkers } from '../terminal/without-markers.ts'
import { isColoured } from './terminal.ts'

/** A job's output as it is shown on a terminal or in a pipe. */
export function shownLog(text: string): string {
  const shown = withoutMarkers(text)
  return isColoured(process.stdout) ? shown : stripVTControlCharacters(shown)
}
