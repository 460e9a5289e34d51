import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder, startCommand } from '../support/command.ts'

/** Starts the service, and returns its advice on the next step. */
async function advice(env: Record<string, string>): Promise<string> {
  const given = { DATA_DIR: scratchFolder(), PORT: '0', LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
  const service = startCommand(['start'], { env: { ...given, ...env } })
  let text = ''
  try {
    for await (const chunk of service.stderr ?? []) {
      text += String(chunk)
      const found = text
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { msg: string }).msg)
        .find((msg) => /^local mode|^app \d/.test(msg))
      if (found !== undefined) return found
    }
    throw new Error(`it said nothing of it: ${text}`)
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  }
}

test('without an app the service explains how to build a repository on this machine', async () => {
  expect(await advice({})).toMatch(
    /^local mode: build a repository of this machine with `build-service local add PATH`; to set up the app at github\.com, start it with PUBLIC_URL, the address at which github\.com reaches it \(or with WEBHOOK_PROXY_URL\)$/,
  )
})

test('with an app the service reports where webhooks go, without a connection to the code host', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const PRIVATE_KEY_PATH = path.join(scratchFolder(), 'app.pem')
  writeFileSync(PRIVATE_KEY_PATH, privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const app = { APP_ID: '7', WEBHOOK_SECRET: 'secret', PRIVATE_KEY_PATH }
  const address = { GHE_HOST: 'git.example.org:1', PUBLIC_URL: 'https://ci.example.org/builds' }
  expect(await advice({ ...app, ...address })).toBe(
    'app 7 of git.example.org:1 sends its webhooks to ' +
      'https://ci.example.org/builds/webhooks/codehost; `build-service doctor` checks whether they arrive',
  )
})
