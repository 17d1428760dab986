import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { ObjectStore } from '../ports.ts';

/** Far values in one bucket, under owner/digest. */
export function s3ObjectStore(bucket: string): ObjectStore {
  const client = new S3Client({});
  return {
    async put(key, text) {
      const Body = Buffer.from(text);
      const ContentType = 'application/json';
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentType }));
    },
    async get(key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      if (!Body) throw new Error(`No object ${key}.`);
      return Body.transformToString('utf8');
    },
  };
}
