// How the program of a job hands over what bash made of its secret variables: between two markers in its
// output, which the runner takes out before anything is shown or counted. The nonce is new for each run.

const prefix = 'service_secret:'

/** Ends with a line break, which shows what the terminal makes of those in the value. */
export function secretStartMarker(nonce: string, name: string): string {
  return `${secretStart(nonce)}${name}\n`
}

/** What the marker of any variable begins with. */
export function secretStart(nonce: string): string {
  return `${prefix}start:${nonce}:`
}

export function secretEndMarker(nonce: string): string {
  return `${prefix}end:${nonce};`
}

/** No value comes after it. */
export function secretsOverMarker(nonce: string): string {
  return `${prefix}over:${nonce};`
}

/** A note on the variables whose secret values would be seen where the job prints them. */
export function unmaskedNote(names: readonly string[]): string {
  return (
    `Not masked in this log, since it is too short or too common: the secret value of ${names.join(', ')}. ` +
    'If it is to stay secret, choose a longer one.'
  )
}

export function tooLongNote(names: readonly string[]): string {
  return (
    `Not masked in this log, since the values of the secret variables of this job are too long: what bash made ` +
    `of ${names.join(', ')}. If it is to stay secret, write it into a file that the job creates.`
  )
}
