import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from '../errors.ts'

type Options = NonNullable<ParseArgsConfig['options']>

const always = { help: { type: 'boolean', short: 'h' } } as const

/** Reads the arguments of a command; `-` counts as an argument. */
export function readArguments<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, ...always },
      allowPositionals: true,
    })
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error
    const [sentence = ''] = error.message.split(/\.\s/)
    throw new UsageError(`${sentence} (see --help)`, { cause: error })
  }
}

/** One of a few words; the first is the default. */
export function oneOf<const T extends string>(
  words: readonly T[],
  option: string,
  value: string | undefined,
): T {
  const word = words.find((word) => word === (value ?? words[0]))
  if (word !== undefined) return word
  throw new UsageError(`--${option} ${value} is not known: choose one of ${words.join(', ')}`)
}
