import type { Call } from '../../core/endpoint.ts'
import { hrefOf } from '../core/href.ts'
import type { View } from '../core/resource.ts'
import type { Include } from './include.ts'

/** The data of a call that rendering needs. An act that uses loaders shares its reads with rendering. */
export function viewOf(call: Call, include: Include = new Map()): View {
  const { ctx, viewer, request } = call
  return { call, ctx, viewer, href: (path) => hrefOf(ctx.site, request, path), include }
}
