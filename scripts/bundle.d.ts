export function bundleText(): Promise<{ text: string; parts: string[] }>
export function keepBundle(folder: string, text: string): void
