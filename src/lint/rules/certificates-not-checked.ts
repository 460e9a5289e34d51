import { readDefinitions } from '../../buildfile/env/definitions.ts'
import { definitionTexts } from '../context/definition-texts.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

/** Settings in commands or options that turn off certificate checks. */
const setting =
  /\b(?:npm|pnpm|yarn)\s[^;&|\n]*\bstrict-ssl[\s=]+"?false\b|\bgit\s[^;&|\n]*\bhttp\.(?:\S+\.)?sslverify[\s=]+"?(?:false|0|no|off)\b/i

/** Variables that turn off certificate checks, with their values. */
const variables: Readonly<Record<string, RegExp>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: /^0$/,
  GIT_SSL_NO_VERIFY: /^(?:1|true|yes|on)$/,
  NPM_CONFIG_STRICT_SSL: /^false$/,
  npm_config_strict_ssl: /^false$/,
  PYTHONHTTPSVERIFY: /^0$/,
}

const assignment = new RegExp(
  String.raw`(?:^|[\s;&|])((${Object.keys(variables).join('|')})=["']?(\w+)["']?)(?=[\s;&|]|$)`,
  'g',
)

/** Words of which a file, and a definition, must contain one to be checked. */
const names = /[-._][sS][sS][lL]|NODE_TLS_|PYTHONHTTPSVERIFY/

export const certificatesNotChecked: LintRule = {
  code: 'certificates_not_checked',
  level: 'warn',
  summary: 'A setting that disables certificate checks for all downloads of a program.',
  why:
    'Without that check anyone on the way can answer instead of the server, with other packages or ' +
    'other code, and get the data sent to it, including tokens. If the certificate belongs to a server ' +
    'of your own, give the program its authority instead (`NODE_EXTRA_CA_CERTS`, `cafile` of npm, ' +
    '`http.sslCAInfo` of git).',
  examples: [
    {
      source: 'before_install: npm config set strict-ssl false\n',
      messages: [
        '"npm config set strict-ssl false" turns off certificate checks: remove it, or add the authority ' +
          'that signed the certificate',
      ],
    },
    {
      source: 'install: git config --global http.sslVerify false\n',
      messages: [
        '"git config --global http.sslVerify false" turns off certificate checks: remove it, or add ' +
          'the authority that signed the certificate',
      ],
    },
    {
      source: 'script: make\nenv: NODE_TLS_REJECT_UNAUTHORIZED=0\n',
      messages: [
        '"NODE_TLS_REJECT_UNAUTHORIZED=0" turns off certificate checks: remove it, or add the authority ' +
          'that signed the certificate',
      ],
    },
    {
      source: 'script: GIT_SSL_NO_VERIFY=true git clone https://git.example.org/a\n',
      messages: [
        '"GIT_SSL_NO_VERIFY=true" turns off certificate checks: remove it, or add the authority that signed ' +
          'the certificate',
      ],
    },
    { source: 'before_install: npm config set strict-ssl true\n', messages: [] },
    { source: 'install: git config --global http.sslVerify true\n', messages: [] },
    { source: 'script: make\nenv: NODE_TLS_REJECT_UNAUTHORIZED=1\n', messages: [] },
  ],
  mentions: names,

  *check({ once }) {
    for (const { text, path } of once(allCommands)) {
      const found = setting.exec(text)?.[0] ?? switchedOffIn(text)
      if (found !== undefined) yield { message: messageOf(found), path }
    }
    for (const { node, path } of once(definitionTexts)) {
      if (!names.test(node.value)) continue
      for (const [name, value] of readDefinitions(node.value) ?? []) {
        const found = switchedOffIn(`${name}=${value}`)
        if (found !== undefined) yield { message: messageOf(found), path, at: node }
      }
    }
  },
}

const messageOf = (found: string) =>
  `${quote(found)} turns off certificate checks: remove it, or add the authority that signed the certificate`

function switchedOffIn(text: string): string | undefined {
  for (const [, written, name = '', value = ''] of text.matchAll(assignment)) {
    if (variables[name]?.test(value)) return written
  }
  return undefined
}
