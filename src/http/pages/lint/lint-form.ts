/** The fields of the page's form. */
export interface LintForm {
  text: string
  /** The project's linter settings: the text of its `.service-lint.yml`. */
  settings: string
  /** The event that conditions are evaluated for; if empty, all of them count as true. */
  event: FormEvent | ''
  branch: string
  tag: string
  /** Which fix to apply: `all`, the name of one, or empty for none. */
  fix: string
}

export const eventTypes = ['push', 'pull_request', 'cron', 'api'] as const
export type FormEvent = (typeof eventTypes)[number]

export const emptyLintForm: LintForm = {
  text: '',
  settings: '',
  event: '',
  branch: '',
  tag: '',
  fix: '',
}

/** Reads the fields of the form; missing ones are empty. */
export function readLintForm(fields: Readonly<Record<string, unknown>>): LintForm {
  const field = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : ''
  }
  // Browsers send every line break of a form as CRLF, regardless of the pasted text.
  const pasted = (name: string) => field(name).replaceAll(/\r\n?/g, '\n')
  return {
    text: pasted('content'),
    settings: pasted('settings'),
    event: eventTypes.find((type) => type === fields.event) ?? '',
    branch: field('branch').trim(),
    tag: field('tag').trim(),
    fix: field('fix'),
  }
}
