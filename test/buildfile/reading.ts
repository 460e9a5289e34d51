import type { Message } from '../../src/buildfile/messages/message.ts'
import type { NormalOptions } from '../../src/buildfile/normal-form/options.ts'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'

/**
 * What is read from a file that says neither `language`, `os` nor `dist`, or not all of them: the
 * normal form without what was added for that, and in short the messages about the rest.
 */
export function read(text: string, options?: Partial<NormalOptions>) {
  const { config, messages, error } = readBuildFile(text, options)
  if (error) throw new Error(`${error.message} ${JSON.stringify(text)}`)
  const added = messages.filter(isAdded).map(({ args }) => args?.key)
  const own = Object.entries(config).filter(([key]) => !added.includes(key))
  return {
    config: Object.fromEntries(own),
    said: messages.filter((message) => !isAdded(message)).map(inShort),
  }
}

function isAdded({ code, key }: Message): boolean {
  return code === 'default' && key.length === 0
}

/** Level, path, code and arguments; the line, where there is one, behind a colon. */
function inShort({ level, key, code, args, line }: Message): string {
  const parts = [level, key.join('.'), code, args && JSON.stringify(args)]
  return `${parts.filter(Boolean).join(' ')}${line === undefined ? '' : ` :${line}`}`
}
