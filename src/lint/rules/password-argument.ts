import type { LintContext } from '../context/context.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter, type Part } from '../shell/parts.ts'
import { programs } from '../shell/password-programs.ts'
import type { LintRule } from './rule.ts'

const login = /(?:^|\s)((?:docker|podman|buildah|nerdctl|skopeo|helm\s+registry)\s+login)(?:\s|$)/
const password = /\s(?:-p(?:\s*|=)|--password[=\s])(?!-)\S/

/** Words of which a command must contain one to be checked. */
const named = /login|openssl|cargo|twine|sshpass|gpg/

export const passwordArgument: LintRule = {
  code: 'password_argument',
  level: 'warn',
  summary:
    'A password among the arguments of a program that can get it in another way, such as `docker login`.',
  why:
    'Every process of the machine can read the arguments of the others, and with `set -x` they are in ' +
    'the log. `docker` itself warns of it. Make it read the password: ' +
    '`echo "$PASSWORD" | docker login -u "$NAME" --password-stdin`. Other programs take it from a ' +
    'variable: `openssl`, `cargo`, `twine` and `sshpass`.',
  examples: [
    {
      source: 'script: docker login -u "$NAME" -p "$PASSWORD"\n',
      messages: [
        'other processes can read the password of "docker login": pipe it in, with "--password-stdin"',
      ],
    },
    {
      source:
        'script: helm registry login -u "$NAME" --password "$PASSWORD" registry.example.org\n',
      messages: [
        'other processes can read the password of "helm registry login": pipe it in, with "--password-stdin"',
      ],
    },
    {
      source: 'before_deploy: openssl aes-256-cbc -k "$SECRET" -in key.enc -out key -d\n',
      messages: [
        'other processes can read "$SECRET" among the arguments of "openssl": write "-pass env:SECRET" ' +
          'instead of "-k"',
      ],
    },
    {
      source: 'before_deploy: openssl enc -d -aes-256-cbc -pass "pass:$SECRET" -in key.enc\n',
      messages: [
        'other processes can read "$SECRET" among the arguments of "openssl": write "env:SECRET" ' +
          'instead of "pass:"',
      ],
    },
    {
      source: 'after_success: cargo publish --token ${CRATES_TOKEN}\n',
      messages: [
        'other processes can read "$CRATES_TOKEN" among the arguments of "cargo": put it into the ' +
          'variable "CARGO_REGISTRY_TOKEN", and leave out "--token"',
      ],
    },
    {
      source: 'after_success: cargo login $CRATES_TOKEN && cargo publish\n',
      messages: [
        'other processes can read "$CRATES_TOKEN" among the arguments of "cargo": put it into the ' +
          'variable "CARGO_REGISTRY_TOKEN", and leave out "cargo login"',
      ],
    },
    {
      source: 'after_success: twine upload -u a -p "$PYPI_PASSWORD" dist/*\n',
      messages: [
        'other processes can read "$PYPI_PASSWORD" among the arguments of "twine": put it into the ' +
          'variable "TWINE_PASSWORD", and leave out the option',
      ],
    },
    {
      source: 'after_success: sshpass -p "$PASSWORD" scp a b@c:/d\n',
      messages: [
        'other processes can read "$PASSWORD" among the arguments of "sshpass": put it into the variable ' +
          '"SSHPASS", and write "-e" instead of "-p"',
      ],
    },
    {
      source: 'before_deploy: gpg --batch --passphrase "$PASSPHRASE" -d key.gpg > key\n',
      messages: [
        'other processes can read "$PASSPHRASE" among the arguments of "gpg": pipe it in, with ' +
          '"--passphrase-fd 0"',
      ],
    },
    {
      source: 'script: echo "$PASSWORD" | docker login -u "$NAME" --password-stdin\n',
      messages: [],
    },
    ...[
      'openssl aes-256-cbc -K $encrypted_key -iv $encrypted_iv -in a -out b -d',
      'openssl aes-256-cbc -pass env:SECRET -in a -out b -d',
      'openssl aes-256-cbc -k test -in a -out b',
      'SECRET=$(cat secret); openssl aes-256-cbc -k $SECRET -in a -out b',
      'docker run a sh -c "openssl aes-256-cbc -k $SECRET -in a -out b"',
      'sudo openssl aes-256-cbc -k $SECRET -in a -out b',
      'cargo publish --registry a --token $TOKEN',
      'twine upload dist/*',
      'sshpass -e scp a b@c:/d',
    ].map((command) => ({ source: `script: ${command}\n`, messages: [] })),
  ],
  commands: named,

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path } = command
      if (!named.test(text)) continue
      const parts = once(openSplitter)(text) ?? linesOf(text)
      for (const part of parts) {
        const message = messageFor(part.text, context)
        if (message === undefined) continue
        yield { message, path, ...partOf(context, command, part) }
        break
      }
    }
  },
}

function messageFor(command: string, context: LintContext): string | undefined {
  const [, program] = login.exec(command) ?? []
  if (program !== undefined && password.test(command)) {
    const name = program.replaceAll(/\s+/g, ' ')
    return `other processes can read the password of ${quote(name)}: pipe it in, with "--password-stdin"`
  }
  if (elsewhere.test(command)) return undefined
  for (const { name, call, remedy } of programs) {
    const [, braced, bare] = call.exec(command) ?? []
    const variable = braced ?? bare
    if (variable === undefined || isSetByShell(variable, context)) continue
    const what = quote(`$${variable}`)
    return `other processes can read ${what} among the arguments of ${quote(name)}: ${remedy(variable)}`
  }
  return undefined
}

/** Commands that may run without the job's variables, or for a registry with variables of its own. */
const elsewhere = /\b(?:sudo|su|docker|ssh|chroot|env\s+-i|sh\s+-\w*c)\b|\s--(?:registry|index)\b/

/** Whether a command sets the variable, so that other programs may not see it. */
function isSetByShell(variable: string, { once }: LintContext): boolean {
  const setting = new RegExp(String.raw`(?:^|[\s;&|(])${variable}=|\bread\s.*\b${variable}\b`)
  return once(allCommands).some(({ text }) => setting.test(text))
}

/** The lines of a text that is more than a list of commands; lines continued with `\` are one line. */
function linesOf(text: string): Pick<Part, 'text' | 'start'>[] {
  return [...text.matchAll(/(?:\\\n|[^\n])+/g)].map((found) => ({
    text: found[0],
    start: found.index,
  }))
}
