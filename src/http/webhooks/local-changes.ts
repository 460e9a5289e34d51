import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isSameSecret } from '../../secrets/signature.ts'
import type { LocalChanges } from '../core/context.ts'

/**
 * Receives reports of changed repositories from commands and git hooks of this machine. The token of
 * this process proves that they can read its data folder.
 */
export const localChanges: FastifyPluginAsync<{ changes: LocalChanges | undefined }> = async (
  scope,
  { changes },
) => {
  if (!changes) return
  scope.addHook('onRequest', async (request, reply) => {
    const { authorization = '' } = request.headers
    if (isSameSecret(`token ${changes.token}`, authorization)) return
    const error = 'this is not the token of the running service'
    return reply.code(401).type('application/json').send({ error })
  })
  scope.post('/webhooks/local/changes', { bodyLimit: mostBytes }, (request, reply) =>
    report(changes, request, reply),
  )
}

/** Enough for the path of any folder. */
const mostBytes = 32 * 1024

async function report(changes: LocalChanges, request: FastifyRequest, reply: FastifyReply) {
  reply.type('application/json')
  const folder = folderIn(request.body)
  if (folder === undefined) return reply.code(400).send({ error: 'the body is {"folder": "…"}' })
  const events = await changes.report(folder)
  if (events === undefined) return reply.code(404).send({ error: `${folder} is not registered` })
  return reply.send({ events })
}

function folderIn(body: unknown): string | undefined {
  try {
    const { folder } = JSON.parse(String(body)) as { folder?: unknown }
    return typeof folder === 'string' ? folder : undefined
  } catch {
    return undefined
  }
}
