// A job's program hands over what bash made of its secret variables between two markers in its output.
// The runner removes them before anything is shown or counted. The nonce is new for each run.

const prefix = 'service_secret:'

/** Ends with a line break, which shows how the terminal converts line breaks in the value. */
export function secretStartMarker(nonce: string, name: string): string {
  return `${secretStart(nonce)}${name}\n`
}

/** Start of the start marker of any variable. */
export function secretStart(nonce: string): string {
  return `${prefix}start:${nonce}:`
}

export function secretEndMarker(nonce: string): string {
  return `${prefix}end:${nonce};`
}

/** Marks the end: no value follows. */
export function secretsOverMarker(nonce: string): string {
  return `${prefix}over:${nonce};`
}

/** A note on the variables whose secret values would be visible if the job prints them. */
export function unmaskedNote(names: readonly string[]): string {
  return (
    `Not masked in this log, because it is too short or too common: the secret value of ${names.join(', ')}. ` +
    'If it must stay secret, choose a longer one.'
  )
}

export function tooLongNote(names: readonly string[]): string {
  return (
    `Not masked in this log, because the values of the secret variables of this job are too long: what bash made ` +
    `of ${names.join(', ')}. If it must stay secret, write it to a file that the job creates.`
  )
}
