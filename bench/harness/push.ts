import { createHash, createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Shot } from './load.ts'

/** The secret that all deliveries here are signed with. */
export const secret = 'only for measuring'

const intakePath = '/webhooks/codehost'

const size = 8192

interface Push {
  ref: string
  installation?: { id: number }
  head_commit: { id: string; message: string } | null
  repository: {
    id: number
    name: string
    default_branch: string
    description: string | null
    language: string | null
    owner: { id: number; login: string }
  }
}

/** A push of one commit as a code host sends it. */
const example = pushExample()

/** The repository that all pushes go to. */
export const pushedRepository = example.repository

/** The installation of the app that they come from. */
export const pushingInstallation = example.installation

/** The body of a push that is like no other, 8 KB long. */
export function pushBody(number: number): Buffer {
  const [before, after] = [sha(number), sha(number + 1)]
  const body = (padding: string) => {
    const commit = { ...example.head_commit, id: after, message: `Change ${number}${padding}` }
    return Buffer.from(
      JSON.stringify({ ...example, before, after, commits: [commit], head_commit: commit }),
    )
  }
  // The message stands in the payload twice.
  const missing = Math.max(0, Math.floor((size - body('').length) / 2))
  return body('.'.repeat(missing))
}

/** A signed delivery as the bytes that go over the wire. */
export function delivery(id: string, body: Buffer, signature = sign(body)): Shot {
  const head =
    `POST ${intakePath} HTTP/1.1\r\nhost: ci.example.org\r\n` +
    'content-type: application/json\r\naccept: */*\r\nuser-agent: bench\r\n' +
    `x-github-event: push\r\nx-github-delivery: ${id}\r\n` +
    `x-hub-signature-256: ${signature}\r\ncontent-length: ${body.length}\r\n\r\n`
  return { id, bytes: Buffer.concat([Buffer.from(head), body]) }
}

export function sign(body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

function sha(number: number): string {
  return createHash('sha1').update(String(number)).digest('hex')
}

function pushExample(): Push {
  // The package is one file of JSON, which Node 20 imports only with a warning.
  const require = createRequire(import.meta.url)
  const events = require('@octokit/webhooks-examples') as { name: string; examples: Push[] }[]
  const pushes = events.find(({ name }) => name === 'push')?.examples ?? []
  const found = pushes.find(
    ({ ref, head_commit, installation }) =>
      ref.startsWith('refs/heads/') && head_commit !== null && installation !== undefined,
  )
  if (!found) throw new Error('the package of example payloads holds no push to a branch')
  return found
}
