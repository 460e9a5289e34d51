import { namesSecret } from '../../buildfile/schema/secret-keys.ts'
import { isEncrypted } from '../context/definition-texts.ts'
import { partOf } from '../context/part-of.ts'
import { allSections, type Command, commandsOf, phases } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter, type Part } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

const traceOn = /^set\s+(?:-[a-z]*x[a-z]*|-o\s+xtrace)(?=\s|$)/
const traceOff = /^set\s+(?:\+[a-z]*x[a-z]*|\+o\s+xtrace)(?=\s|$)/

export const tracesSecrets: LintRule = {
  code: 'traces_secrets',
  level: 'warn',
  summary: '`set -x` before a command that has a secret among its words.',
  why:
    'With `set -x` the shell prints each command with the values of its variables. Those of secret ' +
    'variables are masked in the log, but not what was made from them: parts, other encodings, the ' +
    'values of variables that are not declared as secret. It stays on for all later commands of the job.',
  examples: [
    {
      source: 'script:\n  - set -x\n  - make\n  - ./publish.sh "$NPM_TOKEN"\n',
      messages: [
        '"set -x" prints "$NPM_TOKEN" in a later command, and what was made from a secret is not ' +
          'masked: write "set +x" before that command',
      ],
    },
    {
      source: 'script: set -ex; curl -H "Key:$API_KEY" https://a.example\n',
      messages: [
        '"set -ex" prints "$API_KEY" in a later command, and what was made from a secret is not ' +
          'masked: write "set +x" before that command',
      ],
    },
    {
      source:
        'env:\n  - LOGIN:\n      secure: YQ==\nscript:\n  - set -x\n  - ./publish.sh $LOGIN\n',
      messages: [
        '"set -x" prints "$LOGIN" in a later command, and what was made from a secret is not ' +
          'masked: write "set +x" before that command',
      ],
    },
    {
      source:
        'env:\n  global:\n    - secure: YQ==\nscript:\n  - set -x\n  - env=test; ./run $env $global\n',
      messages: [],
    },
    { source: 'script:\n  - set -x\n  - make\n  - set +x\n  - ./p "$NPM_TOKEN"\n', messages: [] },
    { source: 'script:\n  - ./p "$NPM_TOKEN"\n  - set -x\n  - make\n', messages: [] },
    { source: "script:\n  - set -x\n  - ./p '$NPM_TOKEN'\n", messages: [] },
    { source: 'script:\n  - bash -c "set -x; make"\n  - ./p "$NPM_TOKEN"\n', messages: [] },
  ],
  commands: /set\s+-/,

  *check(context) {
    const isSecret = (name: string) => namesSecret(name) || isEncrypted(context, name)
    for (const section of context.once(allSections)) {
      const commands = phases.flatMap((phase) => commandsOf(section, phase))
      const found = tracedIn(commands, context.once(openSplitter), isSecret)
      if (!found) continue
      const { command, trace, name } = found
      const message =
        `${quote(trace.text)} prints ${quote(`$${name}`)} in a later command, and what was made from ` +
        'a secret is not masked: write "set +x" before that command'
      yield { message, path: command.path, ...partOf(context, command, trace) }
    }
  },
}

interface Traced {
  command: Command
  trace: Part
  name: string
}

/** Follows the commands of a job; nothing is assumed about commands that are more than a list. */
function tracedIn(
  commands: readonly Command[],
  split: (line: string) => readonly Part[] | undefined,
  isSecret: (name: string) => boolean,
): Traced | undefined {
  let on: Pick<Traced, 'command' | 'trace'> | undefined
  for (const command of commands) {
    const parts = split(command.text)
    if (!parts) {
      if (/\bset\s+[-+]/.test(command.text)) on = undefined
      continue
    }
    for (const part of parts) {
      if (traceOff.test(part.text)) on = undefined
      else if (traceOn.test(part.text)) on = { command, trace: part }
      else {
        const name = on && variablesIn(part.text).find(isSecret)
        if (on && name !== undefined) return { ...on, name }
      }
    }
  }
  return undefined
}

/** The variables of a command, outside single quotes. */
function variablesIn(command: string): string[] {
  const printed = command.replaceAll(/\\.|'[^']*'/g, '')
  return [...printed.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name)
}
