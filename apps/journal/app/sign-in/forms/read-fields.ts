/** The fields of a form that a page was sent; none when the body is no form. */
export async function readFields(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData());
}
