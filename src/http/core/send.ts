import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sendUnchanged } from '../caching/entity-tag.ts'
import { type Answer, isAnswer, htmlType, json, textType } from './answer.ts'

/**
 * Sends the result of an endpoint: an `Answer`, or else JSON. JSON is sent as bytes, because the
 * framework would add a charset to a string of type `application/json`. V3 indents its JSON.
 */
export function send(
  reply: FastifyReply,
  result: unknown,
  jsonType: string,
  indent = 0,
): FastifyReply {
  const answer: Answer = isAnswer(result) ? result : json(result, 200, jsonType)
  reply.headers(answer.headers ?? {})
  for (const cookie of answer.cookies ?? []) reply.header('set-cookie', cookie)
  switch (answer.answer) {
    case 'text':
      return reply.type(textType).send(Buffer.from(answer.text))
    case 'html':
      return reply
        .code(answer.status ?? 200)
        .type(htmlType)
        .send(answer.html)
    case 'empty':
      return reply.code(204).send()
    case 'unchanged':
      return sendUnchanged(reply)
    case 'redirect':
      return reply.redirect(answer.location, answer.status)
    case 'written':
      return reply.type(jsonType).send(bufferOf(answer.json))
    case 'bytes':
      return reply.type(answer.type).send(bufferOf(answer.bytes))
    case 'stream':
      // HEAD gets the headers of a stream, and nothing is read. At most one chunk is buffered.
      return reply
        .type(answer.type)
        .send(
          Readable.from(reply.request.method === 'HEAD' ? [] : answer.chunks, { highWaterMark: 1 }),
        )
    case 'ranged':
      reply.code(answer.status).type(textType)
      if (Buffer.isBuffer(answer.body)) return reply.send(answer.body)
      return reply
        .header('content-length', answer.bytes)
        .send(
          Readable.from(reply.request.method === 'HEAD' ? [] : answer.body, { highWaterMark: 1 }),
        )
    case 'json':
      return reply
        .code(answer.status ?? 200)
        .type(answer.type ?? jsonType)
        .send(Buffer.from(JSON.stringify(answer.body, null, indent)))
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
