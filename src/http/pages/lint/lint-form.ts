/** What the form of the page holds. */
export interface Asked {
  text: string
  /** The event that conditions are held against; empty for none, then all of them count as true. */
  event: EventType | ''
  branch: string
  tag: string
  /** Which fix to apply: `all`, the name of one, or empty for none. */
  fix: string
}

export const eventTypes = ['push', 'pull_request', 'cron', 'api'] as const
export type EventType = (typeof eventTypes)[number]

export const nothingAsked: Asked = { text: '', event: '', branch: '', tag: '', fix: '' }

/** Reads the fields of the form; what is not among them is empty. */
export function readAsked(fields: Readonly<Record<string, unknown>>): Asked {
  const field = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    // Browsers send every line break of a form as CRLF, whatever was pasted.
    text: field('content').replaceAll(/\r\n?/g, '\n'),
    event: eventTypes.find((type) => type === fields.event) ?? '',
    branch: field('branch').trim(),
    tag: field('tag').trim(),
    fix: field('fix'),
  }
}
