import type { Call } from '../endpoint.ts'
import { hrefOf } from './href.ts'
import type { Include } from './include.ts'
import type { View } from './resource.ts'

/** What rendering needs to know about a call. An act that uses loaders shares with it what it reads. */
export function viewOf(call: Call, include: Include = new Map()): View {
  const { ctx, viewer, request } = call
  return { call, ctx, viewer, href: (path) => hrefOf(ctx.site, request, path), include }
}
