import { stripVTControlCharacters } from 'node:util'
import { logColours } from '../domain/log/log-colours.ts'
import { withoutMarkers } from '../domain/log/without-markers.ts'
import { jobStopped } from '../texts/log-endings.ts'

/** Beginning of the lines in which the service itself reports a failure. */
export const red = `\u001B[${logColours.red}m`

/** The text of such a log line; undefined for other lines, and for the final line that the job stopped. */
export function redText(line: string): string | undefined {
  const shown = withoutMarkers(line)
  if (!shown.startsWith(red)) return undefined
  const text = stripVTControlCharacters(shown).trim()
  return text === jobStopped || text === '' ? undefined : text
}
