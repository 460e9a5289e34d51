import { RE2JS } from 're2js'

export interface RegularExpression {
  /** As written, without slashes. */
  source: string
  /** Whether it is found anywhere in the text, in time linear in its length. */
  test: (text: string) => boolean
}

/** What is wrong with a regular expression, in plain words. */
export class RegularExpressionError extends Error {
  /** From 0 in the source. */
  readonly offset: number
  /** Fine elsewhere, but nothing that an engine of linear time can do. */
  readonly unsupported: boolean

  constructor(message: string, offset: number, unsupported = false) {
    super(message)
    this.name = 'RegularExpressionError'
    this.offset = offset
    this.unsupported = unsupported
  }
}

/** Reads a regular expression of Ruby's dialect; throws a `RegularExpressionError`. */
export function readRegularExpression(source: string): RegularExpression {
  const compiled = compile(source)
  return { source, test: (text) => compiled.test(text) }
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(translated(source), RE2JS.MULTILINE)
  } catch (error) {
    throw new RegularExpressionError(String(error), 0)
  }
}

/** The other language's names for the end of a text and for a digit of a sha (CF-24). */
function translated(source: string): string {
  return source.replaceAll(/\\(.)/gs, (both, letter: string) => {
    if (letter === 'Z') return '\\z'
    return letter === 'h' ? '[0-9a-fA-F]' : both
  })
}
