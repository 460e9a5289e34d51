import { sealedIn } from '../../secrets/sealed-records.ts'
import {
  dropCall,
  forgetCall,
  keepAnswer,
  keepCall,
} from '../../store/requests/idempotent-calls.ts'
import type { Context } from '../context.ts'

/** The response to a call, to be sent again. */
export interface KeptAnswer {
  status: number
  type: string
  body: string
  /** The headers that a browser needs: its next address, and its cookies. */
  headers?: Record<string, string | string[]>
}

/** A stored call. It is sealed, because its input and response may be secret. */
export interface RepeatableCall {
  /** Digest of the call's input, to detect another call with the same key. */
  given: string
  /** When it began, in milliseconds. */
  at: number
  answer?: KeptAnswer
}

type Sealing = Pick<Context, 'db' | 'sealer'>

/**
 * Stores a call as running; returns the earlier call if there is one under this digest, unless that is older
 * than `seconds`.
 */
export async function beginCall(
  ctx: Sealing,
  digest: string,
  { given, at }: RepeatableCall,
  seconds = Infinity,
): Promise<RepeatableCall | undefined> {
  const kept = await keepCall(ctx.db, { digest, sealed_call: sealed(ctx, digest, { given, at }) })
  if (!kept) return undefined
  const text = ctx.sealer.openText(sealedIn.idempotentCall(digest), kept.sealed_call)
  const first = JSON.parse(text) as RepeatableCall
  if (seconds === Infinity || at < first.at + seconds * 1000) return first
  await dropCall(ctx.db, kept)
  return beginCall(ctx, digest, { given, at }, seconds)
}

/** Stores the response to a call; a call without a response had no effect, and may be repeated. */
export async function endCall(ctx: Sealing, digest: string, call: RepeatableCall): Promise<void> {
  if (!call.answer) return forgetCall(ctx.db, digest)
  return keepAnswer(ctx.db, { digest, sealed_call: sealed(ctx, digest, call) })
}

function sealed({ sealer }: Sealing, digest: string, call: RepeatableCall): string {
  return sealer.sealText(sealedIn.idempotentCall(digest), JSON.stringify(call))
}
