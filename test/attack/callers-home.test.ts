import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { command, scratchFolder } from '../support/command.ts'
import { workTree } from '../support/git.ts'
import { both, type Need, needs, rootUser } from '../support/needs.ts'

const workDir = mkdtempSync(path.join(tmpdir(), 'callers-home-'))
const executor = createProcessExecutor({
  workDir,
  runnerId: `probe-${process.pid}`,
  levels: ['sandbox'],
})
const { ok, says } = await executor.probe()
await executor.close()
rmSync(workDir, { recursive: true })
const sandbox: Need = { tests: 'in a sandbox', missing: ok ? undefined : says }

const secrets = [
  ...['.ssh/id_ed25519', '.aws/credentials', '.config/gh/hosts.yml', '.netrc'],
  ...['.gnupg/secring.gpg', '.kube/config', '.azure/msal_token_cache.json'],
  ...['.docker/config.json', '.npmrc', '.git-credentials', '.cargo/credentials.toml', 'diary.txt'],
]

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

/** A person's home, with secrets, and with programs that version managers keep. */
function home(folder = scratchFolder()): string {
  chmodSync(folder, 0o755)
  for (const name of secrets) write(path.join(folder, name), `the secret of ${name}\n`)
  const versions = path.join(folder, '.nvm/versions/node')
  write(path.join(versions, 'v99.1.2/bin/node'), '#!/bin/sh\necho v99.1.2\n', 0o755)
  write(path.join(folder, 'dotfiles/npmrc'), 'the secret of a link\n', 0o644)
  write(path.join(folder, '.nvm/.npmrc'), 'the secret of nvm\n', 0o644)
  mkdirSync(path.join(versions, 'v99.1.2/etc'), { recursive: true })
  symlinkSync(path.join(folder, 'dotfiles/npmrc'), path.join(versions, 'v99.1.2/etc/npmrc'))
  symlinkSync(path.join(folder, '.nvm/.npmrc'), path.join(versions, 'v99.1.2/.npmrc'))
  write(path.join(versions, 'v98.0.1/etc/npmrc'), 'the secret of npm\n', 0o644)
  write(path.join(folder, '.pyenv/versions/3.9/pip.conf'), 'the secret of pip\n', 0o644)
  write(path.join(folder, '.pyenv/versions/3.9/.bundle/config'), 'the secret of bundler\n', 0o644)
  write(path.join(folder, '.pyenv/.git/config'), 'the secret of a remote\n', 0o644)
  const settings =
    '<settings><!-- <password> --><password>the secret of maven</password></settings>'
  write(path.join(folder, '.pyenv/maven/settings.xml'), settings, 0o644)
  write(path.join(folder, 'go/bin/go-thing'), '#!/bin/sh\necho a go thing\n', 0o755)
  write(path.join(folder, 'go/src/private.go'), 'the secret of a source\n', 0o644)
  write(path.join(folder, '.pyenv/shims/python-thing'), '#!/bin/sh\necho python\n', 0o755)
  write(path.join(versions, 'v98.0.1/bin/node'), '#!/bin/sh\necho v98.0.1\n', 0o755)
  write(path.join(folder, '.cargo/bin/rust-thing'), '#!/bin/sh\necho a rust thing\n', 0o755)
  write(path.join(folder, 'bin/hello'), '#!/bin/sh\necho hello from home\n', 0o755)
  symlinkSync(path.join(folder, '.ssh'), path.join(folder, 'keys'))
  return folder
}

const system = '/usr/local/bin:/usr/bin:/bin'

test(
  "run gives a job the programs on the caller's path, but no secrets from the caller's home",
  { ...needs(sandbox), timeout: 120_000 },
  async () => {
    const folder = home()
    const listed = [
      '.nvm/versions/node/v99.1.2/bin',
      '.cargo/bin',
      '.pyenv/shims',
      'go/bin',
      'bin',
      'keys',
      ...['.ssh', '.aws', '.config/gh', '.docker', '.gnupg', '.kube', '.azure'],
    ]
    // The home itself and the folders above it are on the path as well: that must not expose them.
    const names = [...listed.map((name) => path.join(folder, name)), folder, '/tmp', '/']
    const tree = workTree()
    const script = [
      ...['node --version', 'rust-thing', 'hello', 'echo "HOME is $HOME"'],
      ...secrets.map((name) => `! cat ${folder}/${name}`),
      `! cat ${folder}/keys/id_ed25519`,
      `! cat ${folder}/.nvm/versions/node/v98.0.1/etc/npmrc`,
      `! cat ${folder}/.pyenv/versions/3.9/pip.conf`,
      `! cat ${folder}/.pyenv/versions/3.9/.bundle/config`,
      `! cat ${folder}/.pyenv/.git/config`,
      `! cat ${folder}/.pyenv/maven/settings.xml`,
      `! cat ${folder}/go/src/private.go`,
      'go-thing',
      `! cat ${folder}/.nvm/versions/node/v99.1.2/etc/npmrc`,
      `! cat ${folder}/.nvm/versions/node/v99.1.2/.npmrc`,
      `! cat ${folder}/.nvm/.npmrc`,
      'python-thing',
      `! touch ${folder}/.nvm/planted`,
      `ls -1A ${folder}`,
    ]
    const file = { language: 'node_js', node_js: '98', install: 'skip', script }
    tree.commit('Begin', { '.service.yml': JSON.stringify(file) })

    const PATH = [...names, path.dirname(process.execPath), system].join(':')
    const env = { HOME: folder, PATH, SECRET_OF_THE_CALLER: 'hunter2' }
    const { code, stdout, stderr } = await command(['run', tree.folder], { env })

    expect(`${code} ${stderr}`).toMatch(/^0 /)
    expect(stderr).toContain('jobs run in sandboxes')
    expect(stdout).not.toContain('the secret of')
    expect(stdout).not.toContain('hunter2')
    expect(stdout).toContain('\nv98.0.1\r\n')
    expect(stdout).toContain('\na rust thing\r\n')
    expect(stdout).toContain('\nhello from home\r\n')
    expect(stdout).toContain('HOME is /home/ci')
    expect(stdout).toContain('\na go thing\r\n')
    expect(stdout).toMatch(/\$ ls -1A \S+\r\n\.cargo\r\n\.nvm\r\n\.pyenv\r\nbin\r\ngo\r\n/)
  },
)

test(
  'a home inside a system folder, such as that of a service account, is hidden as well',
  { ...needs(both(sandbox, rootUser)), timeout: 120_000 },
  async () => {
    const folder = home(mkdtempSync('/opt/home-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o755)
    const tree = workTree()
    const script = [
      'hello',
      ...secrets.map((name) => `! cat ${folder}/${name}`),
      `ls -1A ${folder}`,
    ]
    tree.commit('Begin', { '.service.yml': JSON.stringify({ language: 'shell', script }) })
    const PATH = [path.join(folder, 'bin'), path.dirname(process.execPath), system].join(':')
    const { code, stdout, stderr } = await command(['run', tree.folder], {
      env: { HOME: folder, PATH },
    })
    expect(`${code} ${stderr}`).toMatch(/^0 /)
    expect(stderr).toContain('jobs run in sandboxes')
    expect(stdout).not.toContain('the secret of')
    expect(stdout).toContain('\nhello from home\r\n')
    expect(stdout).toMatch(/\$ ls -1A \S+\r\nbin\r\n/)
  },
)

test('the bundle requires no missing package, which Node would look for in the home', () => {
  const bundle = path.resolve(import.meta.dirname, '../../dist/bundled/program.cjs')
  const { resolve } = createRequire(bundle)
  const asked = readFileSync(bundle, 'utf8').matchAll(/\brequire\("([^".][^"]*)"\)/g)
  const missing = [...new Set([...asked].map(([, name = '']) => name))].filter((name) => {
    try {
      resolve(name)
      return false
    } catch {
      return true
    }
  })
  expect(missing).toEqual([])
})

test('the program loads no module from the home, because jobs could write there', async () => {
  const folder = scratchFolder()
  const loot = path.join(folder, 'loot')
  for (const place of ['.node_modules', '.node_libraries']) {
    write(
      path.join(folder, place, 'supports-color/index.js'),
      `require('node:fs').writeFileSync(${JSON.stringify(loot)}, 'taken')`,
    )
  }
  const env = { HOME: folder, DATA_DIR: path.join(folder, 'data') }
  const { stdout } = await command(['doctor'], { env })
  expect(stdout).toContain('settings')
  expect(existsSync(loot)).toBe(false)
})
