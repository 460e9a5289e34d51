import { describe, expect, test } from 'vitest'
import { runJob } from './program.ts'

const env = 'PATH="$HOME/bin:/usr/bin:/bin"'

describe("npm has a folder in the job's home for global packages", () => {
  /** Prints the folder for global packages, and the global settings. */
  const npm = `#!/bin/sh
if [ "$*" = "config get globalconfig" ] && [ ! "$NPM_CONFIG_GLOBALCONFIG" ]; then
  echo "$HOME/etc/npmrc"
else
  echo "prefix $NPM_CONFIG_PREFIX"
  cat "$NPM_CONFIG_GLOBALCONFIG"
fi
`
  const settings = [
    'registry = https://registry.example.com/',
    '@team:registry=https://npm.example.com/',
    'cafile=/etc/ssl/machine.pem',
    'always-auth=true',
  ]
  const credentials = [
    ...['//npm.example.com/:_authToken=aaa', '"//npm.example.com/:_password"="bbb"'],
    ...['_auth=ccc', ' _authToken = ddd', 'username=eee', 'email=fff@example.com'],
    ...['key="ggg"', 'certfile=hhh', 'proxy=http://iii:jjj@proxy.example.com:80/'],
  ]

  test('and keeps the settings of the machine, except credentials', async () => {
    const etc = [...settings.slice(0, 2), ...credentials, ...settings.slice(2)].join('\n')
    const files = { '~/bin/npm': npm, '~/etc/npmrc': etc }
    const script = ['npm install', 'npm install', 'builtin echo "$HOME|$NPM_CONFIG_PREFIX"']
    const { code, text } = await runJob({ env, script }, { files })
    const home = /^(\/.*)\|$/m.exec(text)?.[1]
    const printed = [`prefix ${home}/.npm-global`, ...settings, ''].join('\n')
    expect(text.split(`$ npm install\n${printed}The command`)).toHaveLength(3)
    expect(code).toBe(0)
  })

  test('and the next line runs a newer npm installed there', async () => {
    const newer = '#!/bin/sh\\necho newer'
    const install = `bin="\${NPM_CONFIG_PREFIX:?}/bin"; mkdir -p "$bin"; printf '${newer}' > "$bin/npm"; chmod +x "$bin/npm"`
    const old = `#!/bin/sh\nif [ "$1" = install ]; then ${install}; echo old; fi\n`
    const script = ['npm install -g npm', 'npm --version']
    const { text } = await runJob({ env, script }, { files: { '~/bin/npm': old } })
    expect(text).toContain('$ npm install -g npm\nold\n')
    expect(text).toContain('$ npm --version\nnewer\n')
  })

  test('and a program path that the job has set itself is kept', async () => {
    const files = { '~/tools/own': '#!/bin/sh\necho mine\n' }
    const script = ['hash -p "$HOME/tools/own" thing', 'thing', 'ls >/dev/null', 'thing']
    const { code, text } = await runJob({ env, script }, { files })
    expect(text.split('$ thing\nmine\n')).toHaveLength(3)
    expect(code).toBe(0)
  })

  test('but not if npm is missing on the machine', async () => {
    const files = { '~/bin/npm': npm }
    const { code, text } = await runJob({ env, script: 'npm install' }, { files })
    expect(text).toMatch(/\$ npm install\nprefix .*\/\.npm-global\nThe command/)
    expect(code).toBe(0)
  })
})

describe('the sources of a Go package are at its import path', () => {
  test.each([
    ['git@github.com:octavia/greet.git', 'github.com/octavia/greet'],
    ['https://github.com/octavia/greet', 'github.com/octavia/greet'],
    ['https://octavia:secret@git.example:8443/a/b/greet.git/', 'git.example/a/b/greet'],
    ['ssh://git@git.example:22/octavia/greet.git', 'git.example/octavia/greet'],
    ['file:///srv/greet.git', 'local/octavia/hello'],
    ['../greet', 'local/octavia/hello'],
    ['https://git.example/../../..', 'local/octavia/hello'],
    ['git@git.example:../../x', 'local/octavia/hello'],
    ["git@git.example:'$(touch x)'", 'local/octavia/hello'],
    [undefined, 'local/octavia/hello'],
  ])('for the origin %j: %s', async (origin, folder) => {
    const config = {
      env,
      language: 'go',
      install: 'skip',
      script: 'builtin echo "<${PWD#"$GOPATH"}>"',
    }
    const files = { '~/bin/go': '#!/bin/sh\necho go1.22.3\n' }
    const { text } = await runJob(config, { files }, { source: { input: 'repository', origin } })
    expect(text).toContain(`\n</src/${folder}>\n`)
  })
})
