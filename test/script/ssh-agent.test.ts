import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileScript } from '../../src/script/compile.ts'
import type { ScriptInput } from '../../src/script/input.ts'
import { readPrivateKey } from '../../src/secrets/private-key.ts'
import { needs } from '../support/needs.ts'
import { sshAgent } from '../support/ssh-agent.ts'
import { generatedKey, md5Fingerprint } from '../support/ssh-keygen.ts'
import { cloneScene } from './clone-scene.ts'
import { runJob, runProgram, scriptInput, withHome } from './program.ts'
import { makeRepository } from './repository.ts'

const { open, quietGit, root } = await cloneScene()

const text = sshAgent.missing === undefined ? generatedKey('-t', 'ed25519') : ''
const fingerprint = sshAgent.missing === undefined ? md5Fingerprint(text) : ''
const ssh_key = { text, fingerprint }

/** All files below a folder, with their contents. */
async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

describe('a job with an SSH key', needs(sshAgent), () => {
  test('finds the key in an agent, with its fingerprint in the log, and in no file', async () => {
    await withHome(async (home) => {
      const script = ['ssh-add -l -E md5', 'env', 'ps -ef -www || true', 'grep -r OPENSSH ~/.ssh']
      const answer = await runJob({ script }, { home }, { ssh_key })
      expect(answer.text).toContain(
        `SSH key from the repository settings, fingerprint ${fingerprint}`,
      )
      expect(answer.text).toContain(`256 MD5:${fingerprint}`)
      const line = text.split('\n')[1] ?? 'no key'
      expect(answer.text).not.toContain(line)
      expect(await contentsOf(home)).not.toContain(line)
    })
  })

  test('has an agent that ends with the job, and does not hold up wait', async () => {
    const script = ['wait', 'jobs', 'echo "<$SSH_AUTH_SOCK>"', 'pgrep -f "$SSH_AUTH_SOCK"']
    const { text: log, code } = await runJob({ script }, {}, { ssh_key })
    expect(code).toBe(0)
    const [, socket = ''] = /<(\/.+)>/.exec(log) ?? []
    expect(socket).toContain('/.ssh/agent.')
    const left = await runProgram(`pgrep -f ${socket}; true`)
    expect(left.text).toBe('')
  })

  test.each([
    ['RSA', 'rsa', 'pkcs1'],
    ['RSA', 'rsa', 'pkcs8'],
    ['ECDSA', 'ec', 'sec1'],
    ['ED25519', 'ed25519', 'pkcs8'],
  ] as const)('accepts keys of kind %s, %s in PEM as %s', async (kind, type, form) => {
    const pair = generateKeyPairSync(
      type as 'ec',
      { modulusLength: 2048, namedCurve: 'prime256v1' } as { namedCurve: string },
    )
    const given = readPrivateKey(String(pair.privateKey.export({ type: form, format: 'pem' })))
    if (typeof given === 'string') throw new Error(given)
    const answer = await runJob({ script: 'ssh-add -l -E md5' }, {}, { ssh_key: given })
    expect(answer.text).toMatch(new RegExp(`^\\d+ MD5:${given.fingerprint} .*\\(${kind}\\)$`, 'm'))
  })

  test('runs without the key if it is invalid, and reports that', async () => {
    const answer = await runJob(
      { script: 'true' },
      {},
      { ssh_key: { text: 'no key', fingerprint } },
    )
    expect(answer.code).toBe(0)
    expect(answer.text).toContain('The key could not be given to the ssh-agent.')
  })
})

test('a job without a key has no agent, an ssh without prompts, and can set core.sshCommand', async () => {
  const script = [
    ...['echo "<${SSH_AUTH_SOCK-none}>"', 'echo "<${GIT_SSH_COMMAND-none}>"'],
    'echo "<$SSH_ASKPASS_REQUIRE $("$SSH_ASKPASS" || echo refused)>"',
    'git config --global core.sshCommand "echo mine; false"',
    'git ls-remote git@git.example:part.git || cat ~/.ssh/known_hosts',
  ]
  const { text: log } = await runJob({ script })
  expect(log.match(/<none>/g)).toHaveLength(2)
  expect(log).toContain('<force refused>')
  expect(log).toContain('mine')
  expect(log).toContain('github.com ssh-ed25519 ')
  expect(log).not.toContain('SSH key')
})

/**
 * Simulates ssh to a server: it accepts clients with the key in their agent, and serves the
 * repository in the last argument from a folder of this machine.
 */
const fakeSsh = `#!/bin/bash
if ! ssh-add -l -E md5 2>/dev/null | grep -q 'MD5:${fingerprint}'; then
  echo 'Permission denied (publickey).' >&2
  exit 255
fi
request=\${@: -1} request=\${request#*\\'}
request=\${request%\\'}
exec git upload-pack "${root}/\${request#/}"
`

describe('the commit of a job is fetched', needs(sshAgent), async () => {
  const part = await makeRepository(path.join(root, 'part.git'))
  const partSha = await part.commit('private part')
  const whole = await makeRepository(path.join(root, 'whole.git'))
  await whole.git('update-index', '--add', '--cacheinfo', `160000,${partSha},part`)
  const modules = '[submodule "part"]\n  path = part\n  url = git@git.example:part.git\n'
  await writeFile(path.join(whole.folder, '.gitmodules'), modules)
  await whole.git('add', '.gitmodules')
  await whole.git('commit', '-qm', 'With a part')
  const sha = await whole.git('rev-parse', 'HEAD')

  function clone(url: string, key: ScriptInput['ssh_key']) {
    return withHome(async (home) => {
      const { clone: program, ssh_key } = compileScript(
        scriptInput({
          source: { url, token: null },
          commit: { ...scriptInput().commit, sha },
          ssh_key: key,
        }),
      )
      const env = { ...quietGit, PATH: `${home}/bin:/usr/bin:/bin` }
      const ended = await runProgram(program.replace('__service_pause=1', '__service_pause=0'), {
        ...{ home, env, ssh_key, files: { '~/bin/ssh': fakeSsh } },
      })
      const left = await runProgram(`pgrep -f ${home}/.ssh/agent; true`)
      const file = path.join(home, 'build/octavia/hello/part/file')
      const content = await readFile(file, 'utf8').catch(() => 'missing')
      return { ...ended, left: left.text, content }
    })
  }

  test("through SSH with the job's key, as are private submodules", async () => {
    const { code, content, left, text: log } = await clone('https://git.example/whole.git', ssh_key)
    expect([code, content, left]).toEqual([0, 'private part', ''])
    expect(log).toContain(`fingerprint ${fingerprint}`)
  })

  test('not at all with another key', async () => {
    const other = { text: generatedKey('-t', 'ed25519'), fingerprint: null }
    const { code, content, text: log } = await clone(`${open.url}/whole.git`, other)
    expect([code, content]).toEqual([2, 'missing'])
    expect(log).toMatch(
      /The SSH key cannot read ssh:\/\/git@\S+, so the commit is fetched from http/,
    )
    expect(log).toContain('The submodules cannot be checked out.')
  })

  test('without submodules if there is no key', async () => {
    const { code, content, text: log } = await clone(`${open.url}/whole.git`, null)
    expect([code, content]).toEqual([2, 'missing'])
    expect(log).toContain('The submodules cannot be checked out.')
    expect(log).not.toContain('SSH key')
  })
})
